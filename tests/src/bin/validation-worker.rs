//! The process that checks values against schemas, like the app's `sonde-helper`.

fn main() -> std::io::Result<()> {
    sonde_validation::worker::run()
}
