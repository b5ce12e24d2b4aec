import type { z } from 'zod';

/** One endpoint of the api. The server registers it and the web calls it. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with `:name` parameters. */
  path: string;
  /** Other paths of the specification for the same endpoint. */
  aliases?: readonly string[];
  /** The word for it in the log; by default the end of its path. */
  action?: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  reply: z.ZodType;
};

/** Declares a route and keeps the literal types of `definition`. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

export type ParamsOf<R extends Route> = R['params'] extends z.ZodType ? z.output<R['params']> : undefined;
export type QueryOf<R extends Route> = R['query'] extends z.ZodType ? z.output<R['query']> : undefined;
export type BodyOf<R extends Route> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
export type BodyInputOf<R extends Route> = R['body'] extends z.ZodType ? z.input<R['body']> : undefined;
export type ReplyOf<R extends Route> = z.output<R['reply']>;

/**
 * Fills in the `:name` parameters of a path, URL-encoded. Throws if one is missing, because the URL would reach another
 * route.
 */
export function pathOf(path: string, params: Record<string, string | number> = {}): string {
  return path.replace(/:(\w+)/g, (_match, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}
