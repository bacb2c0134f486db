//! t
use oriel_models::*;
fn main() { let m = Models::new(ModelDirs::platform().unwrap());
 for id in std::env::args().skip(1) { let t=std::time::Instant::now(); let mut n=0; let r=m.pull(&id,&mut |p| {n+=1; if n%10==0 {eprintln!("{p:?}")}},&Default::default()); eprintln!("{:?} {:?}", r.map(|m|m.folder), t.elapsed()); } }
