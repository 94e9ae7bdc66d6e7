/** Worker that finds the colours of source code, so that this can be terminated. */
import { serveCalls } from "../../lib/workerCalls";
import { tokensOfSource } from "./sourceTokens";

const functions = { tokensOfSource };

export type SourceFunctions = typeof functions;

serveCalls(functions);
