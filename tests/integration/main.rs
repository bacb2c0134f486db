//! The assembled program on real files and real models.
