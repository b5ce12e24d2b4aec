import type { TokenCounts } from './limits.ts';

/** The ways to request JSON, from strict to simple: by a schema, as any object, or in words only. */
const structures = ['schema', 'object', 'text'] as const;
type Structure = (typeof structures)[number];

/** Returns the next simpler structure, or null after the last one. */
export const simplifyStructure = (structure: Structure): Structure | null =>
  structures[structures.indexOf(structure) + 1] ?? null;

/** The form of requests that a service accepts. Services support one of the two token parameters, or both. */
export type RequestFormat = { structure: Structure; tokenParameter: 'max_tokens' | 'max_completion_tokens' };

export const firstRequestFormat: RequestFormat = { structure: 'schema', tokenParameter: 'max_tokens' };

/** The `sentence` of a reply is for operators. */
export type AiReply =
  /** `pauseMs`: the time in which the service accepts no further request. */
  | { kind: 'answer'; text: string; usage: TokenCounts | null; pauseMs: number | null }
  /** The answer exceeded its token limit, or the request was too long for the model. */
  | { kind: 'cut'; usage: TokenCounts | null }
  | { kind: 'declined'; usage: TokenCounts | null }
  /** The service refuses the form of the request, but may accept the form `manner`. */
  | { kind: 'manner'; manner: RequestFormat }
  | { kind: 'quota'; waitMs: number | null }
  /** No request can succeed before the operator changes something. */
  | { kind: 'trouble'; sentence: string }
  | { kind: 'failure'; sentence: string }
  | { kind: 'stopped' };

export const usageOf = (reply: AiReply): TokenCounts | null => ('usage' in reply ? reply.usage : null);
