//! Limits of the sizes in a model's configuration, which determine allocations.

/// Whether each value is from 1 to its limit.
pub(crate) fn check_limits(limits: &[(&str, usize, usize)]) -> Result<(), String> {
    match limits.iter().find(|(_, value, limit)| !(1..=*limit).contains(value)) {
        Some((name, value, limit)) => Err(format!("{name} is {value}, not between 1 and {limit}")),
        None => Ok(()),
    }
}
