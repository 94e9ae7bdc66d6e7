/** The form core: JSON Schema to field plans, and arguments as a tree that preserves what was typed. */
export {
  createDocument,
  dropUnreadableText,
  fromText,
  isEmpty,
  isPristine,
  resetDocument,
  syntaxProblem,
  toText,
  withSchema,
  type FormDocument,
  type SyntaxProblem,
} from "./document";
export { compactJson, prettyJson } from "./print";
export type { Problem } from "./problems";
