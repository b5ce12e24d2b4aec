import { readdir } from 'node:fs/promises';
import { pathOf } from '@draftshelf/contract/paths';
import type { Route } from '@draftshelf/contract/route';

/** What a call sends besides its method and path. */
export type Input = {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  form?: () => FormData;
};

/** `GET /api/queue/:id` and the route. */
export type NamedRoute = [name: string, route: Route];

const contract = new URL('../../packages/contract/src/', import.meta.url);

/** Every route that the contract declares, in no particular order. */
export async function contractRoutes(): Promise<NamedRoute[]> {
  const files = (await readdir(contract, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const modules = await Promise.all(files.map((name) => import(new URL(name, contract).href)));
  const declared = modules.flatMap((module: object) => Object.values(module)).filter(isRoute);
  return declared.map((route) => [`${route.method} ${route.path}`, route]);
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;

/** Inputs for a call about which nothing is known: `texts` in every parameter and in every field of its body. */
export function anyInputs({ method, path, body }: Route, id: string, texts: readonly string[]): Input[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const others = names.filter((name) => name !== 'id');
  const fields = body && 'shape' in body ? Object.keys(body.shape as object) : [];
  if (others.length === 0 && (method === 'GET' || body === undefined)) return [{ params: { id } }];
  return texts.map((text) => ({
    params: { id, ...Object.fromEntries(others.map((name) => [name, text])) },
    ...(body ? { body: Object.fromEntries(fields.map((field) => [field, text])) } : {}),
  }));
}

/** The addresses of a call: aliases are served too. */
export function addressesOf({ path, aliases = [] }: Route, { params = {}, query = {} }: Input): string[] {
  const search = new URLSearchParams(query).toString();
  return [path, ...aliases].map((one) => pathOf(one, params) + (search === '' ? '' : `?${search}`));
}
