//! A server made with the macros of rmcp as its documentation shows. Over stdio.

use rmcp::{
    ServiceExt as _,
    handler::server::wrapper::{Json, Parameters},
    schemars, tool, tool_router,
    transport::stdio,
};
use serde::{Deserialize, Serialize};

/// Arguments of `add`.
#[derive(Deserialize, schemars::JsonSchema)]
struct Terms {
    /// The first number.
    left: i32,
    /// The second number.
    right: i32,
}

/// Result of `add`.
#[derive(Serialize, schemars::JsonSchema)]
struct Sum {
    /// Their sum.
    sum: i64,
}

#[derive(Clone)]
struct Calculator;

#[tool_router(server_handler)]
impl Calculator {
    /// Adds two numbers.
    #[tool]
    fn add(&self, Parameters(Terms { left, right }): Parameters<Terms>) -> Json<Sum> {
        let sum = i64::from(left) + i64::from(right);
        Json(Sum { sum })
    }

    /// Says what it is told to say.
    #[tool]
    fn greet(&self) -> String {
        "Good morning.".to_owned()
    }

    /// Fails each time.
    #[tool]
    fn fail(&self) -> Result<String, String> {
        Err("There is no harbour.".to_owned())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let service = Calculator.serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}
