//! t
use candle_core::*;
fn main() { let d=Device::Cpu; 
 for nt in [1usize,2] { let pool=rayon::ThreadPoolBuilder::new().num_threads(nt).build().unwrap(); pool.install(||{
 for t in [12usize,128,256,512,1024,2048] { for (k,n) in [(384usize,1152usize),(384,1536),(1536,384),(384,384)] {
  let x=Tensor::randn(0f32,1f32,(t,k),&d).unwrap(); let w=Tensor::randn(0f32,1f32,(n,k),&d).unwrap(); let wt=w.t().unwrap().contiguous().unwrap();
  let xt=x.t().unwrap().contiguous().unwrap();
  let bench=|f:&dyn Fn()->Tensor|{ f(); let mut best=f64::MAX; for _ in 0..12 { let s=std::time::Instant::now(); f(); best=best.min(s.elapsed().as_secs_f64()); } 2.0*(t*k*n) as f64/best/1e9 };
  let a=bench(&||x.matmul(&wt).unwrap()); let b=bench(&||x.matmul(&w.t().unwrap()).unwrap());
  let c=bench(&||w.matmul(&xt).unwrap()); let e=bench(&||w.matmul(&x.t().unwrap()).unwrap());
  println!("nt{nt} t{t} {k}x{n}: W^T contiguous {a:.0}  w.t() {b:.0}  w@xt {c:.0} w@x.t {e:.0} GF/s");
 }}})}}
