import type { z } from 'zod';
import { type EndpointName, endpointOf, type ParamName } from './paths.ts';

export type Route = Definition & {
  name: EndpointName;
  method: Method;
  path: string;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Definition = {
  /** Other paths of the specification for the same endpoint. */
  aliases?: readonly string[];
  /** The word for it in the log; by default the end of its path. */
  action?: string;
  /** Parameters of the path that are more than texts. An id is any text: an invalid one is unknown (404). */
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  reply: z.ZodType;
};

/** Declares the route of an endpoint and keeps the literal types of `definition`. */
export function route<const N extends EndpointName, const R extends Definition>(
  name: N,
  definition: R,
): R & { name: N; method: Method; path: string } {
  const { method, path } = endpointOf(name);
  return { name, method: method as Method, path, ...definition };
}

type ParsedParams<R extends Route> = R['params'] extends z.ZodType ? z.output<R['params']> : object;
export type ParamsOf<R extends Route> = ParsedParams<R> &
  Record<Exclude<ParamName<R['name']>, keyof ParsedParams<R>>, string>;
export type QueryOf<R extends Route> = R['query'] extends z.ZodType ? z.output<R['query']> : undefined;
export type BodyOf<R extends Route> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
export type ReplyOf<R extends Route> = z.output<R['reply']>;
