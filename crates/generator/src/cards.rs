//! The graphics cards that llama.cpp can use.

use llama_cpp_2::{LlamaBackendDevice, LlamaBackendDeviceType, list_llama_ggml_backend_devices};

/// Free bytes of the card with the most free memory; 0 without a card.
pub(crate) fn free() -> u64 {
    let cards = list_llama_ggml_backend_devices();
    let cards = cards.iter().filter(|device| device.device_type == LlamaBackendDeviceType::Gpu);
    cards.map(|card| card.memory_free as u64).max().unwrap_or(0)
}

/// The name of the first card, which may be an integrated one.
pub(crate) fn first() -> Option<String> {
    let is_card = |device: &LlamaBackendDevice| {
        matches!(device.device_type, LlamaBackendDeviceType::Gpu | LlamaBackendDeviceType::IntegratedGpu)
    };
    list_llama_ggml_backend_devices().into_iter().find(is_card).map(|card| card.description)
}
