import type { z } from 'zod';
import { type EndpointName, endpointOf, type ParamName } from './paths.ts';

export type Route = Definition & {
  name: EndpointName;
  method: Method;
  path: string;
};

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Definition = {
  /** Other paths of the same endpoint. */
  aliases?: readonly string[];
  /** The name of the action in the log. By default the last part of the path. */
  action?: string;
  /** Schema of path parameters that are not plain texts. An id is a plain text: an invalid id gets 404. */
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  reply: z.ZodType;
};

/** Declares the route of an endpoint. Keeps the literal types of `definition`. */
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
