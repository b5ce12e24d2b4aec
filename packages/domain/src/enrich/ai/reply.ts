import type { Tokens } from './limits.ts';

/** An answer in JSON is requested by a schema, as any object, or in words only. */
const structures = ['schema', 'object', 'text'] as const;
type Structure = (typeof structures)[number];

/** Null after the last. */
export const simplerThan = (structure: Structure): Structure | null =>
  structures[structures.indexOf(structure) + 1] ?? null;

/** The form of requests that a service takes. Services know one of the parameters, or both. */
export type Manner = { structure: Structure; tokenParameter: 'max_tokens' | 'max_completion_tokens' };

export const firstManner: Manner = { structure: 'schema', tokenParameter: 'max_tokens' };

/** Sentences are for operators. */
export type AiReply =
  /** `pauseMs`: the service takes no other request for this time. */
  | { kind: 'answer'; text: string; usage: Tokens | null; pauseMs: number | null }
  /** The answer did not fit into its tokens, or the request into the model. */
  | { kind: 'cut'; usage: Tokens | null }
  | { kind: 'declined'; usage: Tokens | null }
  /** The service refuses requests of this manner, but may take this one. */
  | { kind: 'manner'; manner: Manner }
  | { kind: 'quota'; waitMs: number | null }
  /** No other request can succeed before a person has changed something. */
  | { kind: 'trouble'; sentence: string }
  | { kind: 'failure'; sentence: string }
  | { kind: 'stopped' };

export const usageOf = (reply: AiReply): Tokens | null => ('usage' in reply ? reply.usage : null);
