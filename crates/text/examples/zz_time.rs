use std::time::Instant;
use oriel_core::{Kind,PageMap};
fn main(){ let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
for unit in ["a","a. ","\n","- ","> ","[","(\"","« \"x\" ","a\n","*a ","<a ","1. ","| a ","`","a\n\n","。","  a\n","[a](","\t","A sentence of some words. ","[[","![","- a\n","&","<!-","\n>","*a_ "] {
 let text=unit.repeat(n/unit.len());
 for kind in [Kind::Text,Kind::Markdown,Kind::Docx]{ let t=Instant::now(); let f=oriel_text::sentences(&text,kind,&PageMap::default()).len(); let e=t.elapsed(); if e.as_millis() as usize > n/5000 {println!("{unit:?} {kind} {e:?} {f}");}}
}}
