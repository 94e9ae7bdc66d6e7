//! The process that checks values against schemas, as the app's executable is one.

fn main() -> std::io::Result<()> {
    sonde_validation::worker::run()
}
