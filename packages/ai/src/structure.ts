/** An answer in JSON is requested by a schema, as any object, or in words only. */
export const structures = ['schema', 'object', 'text'] as const;
export type Structure = (typeof structures)[number];

/** Null after the last. */
export const simplerThan = (structure: Structure): Structure | null =>
  structures[structures.indexOf(structure) + 1] ?? null;

/** Services know one of these parameters, or both. */
export const tokenParameters = ['max_tokens', 'max_completion_tokens'] as const;
export type TokenParameter = (typeof tokenParameters)[number];

/** The form of requests that a service takes. */
export type Manner = { structure: Structure; tokenParameter: TokenParameter };

export const firstManner: Manner = { structure: 'schema', tokenParameter: 'max_tokens' };
