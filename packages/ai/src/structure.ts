/** How an answer in JSON is asked for: by a schema, as any object, or in words only. */
export const structures = ['schema', 'object', 'text'] as const;
export type Structure = (typeof structures)[number];

/** The next simpler way; null after the last. */
export const simplerThan = (structure: Structure): Structure | null =>
  structures[structures.indexOf(structure) + 1] ?? null;

/** The parameter that limits an answer's tokens: services know one, or the other, or both. */
export const tokenParameters = ['max_tokens', 'max_completion_tokens'] as const;
export type TokenParameter = (typeof tokenParameters)[number];

/** What a service has been found to take. */
export type Manner = { structure: Structure; tokenParameter: TokenParameter };

export const firstManner: Manner = { structure: 'schema', tokenParameter: 'max_tokens' };
