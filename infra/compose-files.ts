import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const Service = z.looseObject({
  image: z.string(),
  scale: z.int().default(1),
  profiles: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  networks: z.array(z.string()).default(['default']),
  ports: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.looseObject({ required: z.boolean().default(true) })).default({}),
});
export type ComposeService = z.infer<typeof Service>;

/** The services of the compose file that run our programs. */
export const ownServices = [
  'migrate',
  'api',
  'parse-worker',
  'enrich-worker',
  'push-worker',
  'folder-worker',
  'keeper',
] as const;

/** What these keys hold is replaced; other lists are joined. */
const replaced = ['command', 'test', 'tmpfs', 'cap_drop', 'networks', 'profiles'];

/**
 * Merges compose files by those rules of compose that ours use, and inserts the variables of `env`. Checks use it
 * where compose itself is not available.
 *
 * @returns the services by name, without those of other profiles than `profile`
 * @throws Error if a required variable is empty
 */
export async function mergeComposeFiles(
  files: readonly URL[],
  env: Record<string, string>,
  profile = '',
): Promise<Record<string, ComposeService>> {
  let merged: unknown = {};
  for (const file of files) {
    // Removes a list of the files before.
    const text = (await readFile(file, 'utf8')).replaceAll('!reset []', `'!reset'`);
    merged = mergeInto(merged, parse(text, { merge: true }), '');
  }
  const { services } = z.object({ services: z.record(z.string(), z.unknown()) }).parse(merged);
  const all = z.record(z.string(), Service).parse(fill(services, env));
  const runs = ({ profiles }: ComposeService) => profiles.length === 0 || profiles.includes(profile);
  return Object.fromEntries(Object.entries(all).filter(([, service]) => runs(service)));
}

function mergeInto(before: unknown, added: unknown, key: string): unknown {
  if (added === '!reset') return undefined;
  if (Array.isArray(before) && Array.isArray(added) && !replaced.includes(key)) return [...before, ...added];
  if (!isMapping(before) || !isMapping(added)) return added;
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(added)) merged[name] = mergeInto(before[name], value, name);
  return merged;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fill(value: unknown, env: Record<string, string>): unknown {
  if (typeof value === 'string') return fillText(value, env);
  if (Array.isArray(value)) return value.map((one) => fill(one, env));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, env)]));
}

/** The innermost variables first, because a default may be a variable. */
function fillText(text: string, env: Record<string, string>): string {
  const variable = /(?<!\$)\$\{([A-Z\d_]+)(?::([-?])([^{}]*))?\}/;
  let filled = text;
  for (let found = variable.exec(filled); found; found = variable.exec(filled)) {
    const [whole, name = '', kind, rest = ''] = found;
    const value = env[name] || (kind === '-' ? rest : '');
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
    filled = filled.replace(whole, () => value);
  }
  return filled.replaceAll('$$', '$');
}
