/** Reads source code for its colours, where it can be ended. */
import { serveCalls } from "../../lib/workerCalls";
import { tokensOfSource } from "./sourceTokens";

const functions = { tokensOfSource };

export type SourceFunctions = typeof functions;

serveCalls(functions);
