//! The device that models run on, chosen by the program's build features and by the hardware.

use candle_core::Device;
use oriel_core::Notice;
use serde::Serialize;

/// The device of embedder and reranker, for `oriel doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Backend {
    /// `cpu`, `cuda` or `metal`.
    pub device: String,
    /// The number of threads per model unless the settings give one.
    pub threads: usize,
    /// Other devices that the program was built for.
    pub features: Vec<&'static str>,
    /// Why the device is not the one that the program was built for, in one line.
    #[serde(serialize_with = "oriel_core::lossy::optional_notice")]
    pub note: Option<Notice>,
}

/// The device of embedder and reranker, unless the settings keep them on the processor.
#[must_use]
pub fn backend() -> Backend {
    let (device, note) = device(false);
    let device = match device {
        Device::Cpu => "cpu",
        Device::Cuda(_) => "cuda",
        Device::Metal(_) => "metal",
    };
    let mut features = Vec::new();
    if cfg!(feature = "cuda") {
        features.push("cuda");
    }
    if cfg!(feature = "metal") {
        features.push("metal");
    }
    Backend { device: device.into(), threads: threads(None), features, note }
}

/// The device, and why it is the CPU although the program was built for another; always the CPU if `cpu` is set.
pub(crate) fn device(cpu: bool) -> (Device, Option<Notice>) {
    let better = if cpu {
        return (Device::Cpu, None);
    } else if cfg!(feature = "cuda") {
        Device::new_cuda(0)
    } else if cfg!(feature = "metal") {
        Device::new_metal(0)
    } else {
        return (Device::Cpu, None);
    };
    match better {
        Ok(device) => (device, None),
        Err(e) => {
            let reason = e.to_string();
            let reason = reason.lines().next().unwrap_or_default().to_owned();
            (Device::Cpu, Some(Notice::NoGpu { reason }))
        }
    }
}

/// The number of threads: `setting`, or the default.
pub(crate) fn threads(setting: Option<usize>) -> usize {
    setting.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_build_runs_on_the_cpu_and_a_gpu_build_says_where() {
        assert!(device(true).0.is_cpu(), "whoever wants the processor gets it");
        let backend = backend();
        assert!(backend.threads >= 1);
        if backend.features.is_empty() {
            assert_eq!((backend.device.as_str(), backend.note), ("cpu", None));
        } else {
            assert!(backend.device != "cpu" || backend.note.is_some());
        }
    }
}
