//! Limits of the sizes in a model's configuration, which determine allocations.

/// Checks that each value is between 1 and its limit.
pub(crate) fn check_limits(limits: &[(&str, usize, usize)]) -> Result<(), String> {
    match limits.iter().find(|(_, value, limit)| !(1..=*limit).contains(value)) {
        Some((name, value, limit)) => Err(format!("{name} is {value}, not between 1 and {limit}")),
        None => Ok(()),
    }
}
