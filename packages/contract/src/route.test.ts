import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { paths } from './paths.ts';
import type { Route } from './route.ts';

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'reply' in value;

/** All endpoints, by method and path. */
async function allRoutes(): Promise<Map<string, Route>> {
  const files = readdirSync(new URL('.', import.meta.url), { encoding: 'utf8', recursive: true }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const modules = await Promise.all(files.map((name) => import(new URL(name, import.meta.url).href)));
  const routes = modules.flatMap((exported: object) =>
    Object.entries(exported).flatMap(([name, value]) => {
      if (!isRoute(value)) return [];
      expect(value.name).toBe(name);
      return [value];
    }),
  );
  return new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
}

type JsonSchema = { type?: string; anyOf?: JsonSchema[]; oneOf?: JsonSchema[]; allOf?: JsonSchema[] };

/** Whether each value of a schema is an object or a list, so that its JSON is never empty or a bare word. */
function isBody({ type, anyOf, oneOf, allOf }: JsonSchema): boolean {
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return choices.every(isBody);
  if (allOf !== undefined) return allOf.some(isBody);
  return type === 'object' || type === 'array';
}

test('every endpoint but downloads replies with a JSON object or list, also those that delete', async () => {
  const routes = await allRoutes();
  const methods = new Set([...routes.values()].map(({ method }) => method));
  expect(methods).toEqual(new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']));
  const others = [...routes].filter(
    ([, { path, reply }]) =>
      !path.endsWith('.csv') && !isBody(z.toJSONSchema(reply, { unrepresentable: 'any' }) as JsonSchema),
  );
  expect(others.map(([name]) => name)).toEqual([]);
});

test('every endpoint of the table is a route that is exported under its name, and only those are', async () => {
  const routes = [...(await allRoutes()).values()];
  const listed = Object.entries(paths).map(([name, endpoint]) => `${name}: ${endpoint}`);
  expect(routes.map(({ name, method, path }) => `${name}: ${method} ${path}`).sort()).toEqual(listed.sort());
  expect(new Set(Object.values(paths)).size).toBe(listed.length);
});
