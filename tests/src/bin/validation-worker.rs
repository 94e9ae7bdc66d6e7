//! The process that checks values against schemas, as `sonde-helper` of the app is one.

fn main() -> std::io::Result<()> {
    sonde_validation::worker::run()
}
