import { readFileSync } from 'node:fs';
import { keptDaysRange } from '@draftshelf/domain/access/preferences';
import { z } from 'zod';

/** The environment is not a valid configuration. `problems` has one sentence per problem. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

/** Environment variables, as in `process.env`. */
export type EnvSource = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the contents of files: `NAME` may be given as `NAME_FILE`, the path of a file that has it.
 * The line end after the value is left out. An empty `NAME_FILE` counts as unset.
 *
 * @throws ConfigurationError if a file cannot be read, or if both are set
 */
export function withFiles(source: EnvSource, names: readonly string[]): EnvSource {
  const filled: Record<string, string | undefined> = { ...source };
  const problems: string[] = [];
  for (const name of names) {
    const path = source[`${name}_FILE`];
    if (!path) continue;
    if (source[name]) problems.push(`${name} and ${name}_FILE are both set: set one of them`);
    try {
      filled[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code} for ${path}`);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return filled;
}

/**
 * Reads the whole configuration of a process, also from files (`withFiles`). A variable that is set but empty counts as
 * unset, because compose files and shells produce it, unless its schema accepts the empty string (ACCESS_KEY does:
 * empty means "no key"). Problems never contain values, which may be secrets.
 *
 * @returns the parsed, typed configuration
 * @throws ConfigurationError with all problems
 */
export function readEnv<Schema extends z.ZodObject>(schema: Schema, source: EnvSource): z.infer<Schema> {
  const given: Record<string, string> = {};
  const filled = withFiles(source, Object.keys(schema.shape));
  for (const [name, piece] of Object.entries(schema.shape)) {
    const value = filled[name];
    if (value === undefined) continue;
    if (value === '' && !z.safeParse(piece, '').success) continue;
    given[name] = value;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(parsed.error.issues.map((issue) => sentence(issue, given)));
}

/** Returns the result of `read`. On ConfigurationError, prints the problems to stderr and exits with code 1. */
export function orExit<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function sentence(issue: z.core.$ZodIssue, given: Record<string, string>): string {
  const name = issue.path.join('.');
  if (name === '') return issue.message;
  return given[name] === undefined
    ? `${name} is not set: ${issue.message}`
    : `${name} is invalid: ${issue.message}`;
}

function wholeNumber(from: number, to: number, expected: string) {
  return z
    .string({ error: expected })
    .regex(/^\d{1,15}$/, expected)
    .transform(Number)
    .refine((value) => value >= from && value <= to, expected);
}

/** A TCP port; with 0 the system chooses one. */
export const Port = wholeNumber(0, 65_535, 'expected a port, a whole number from 0 to 65535');

const Address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** IP addresses and networks, separated by commas: `10.0.0.7, 172.16.0.0/12, fd00::/8`. */
export const Addresses = z
  .string({ error: 'expected addresses' })
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((all) => all.every((one) => Address.safeParse(one).success), {
    error: 'expected addresses or networks separated by commas, like 10.0.0.7, 172.16.0.0/12',
    abort: true,
  })
  .refine((all) => all.every((one) => !/\/0+$/.test(one)), {
    error: 'a network of /0 would trust everybody, name the addresses of your proxies',
  });

/** Host names, separated by commas: `cdn.example.com, pictures.example.org`. */
export const Hosts = z
  .string({ error: 'expected host names' })
  .transform((text) => text.split(',').map((one) => one.trim()))
  .refine((all) => all.every((host) => /^[\w-]+(?:\.[\w-]+)*$/.test(host)), {
    error: 'expected host names separated by commas, like cdn.example.com',
  });

/** A number of items, at least 1. */
export const Count = wholeNumber(1, 1_000_000_000, 'expected a whole number of at least 1');

/** Days that something is kept, or `never`: then it is not removed, which is null. */
export const KeptDays = z
  .string()
  .transform((text) => (text === 'never' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN))
  .refine((days) => days === null || (days >= keptDaysRange.min && days <= keptDaysRange.max), {
    error: `expected a number of days from ${keptDaysRange.min} to ${keptDaysRange.max}, or never`,
  });

/** A number of bytes, at least 1, without a unit. */
export const Bytes = wholeNumber(
  1,
  Number.MAX_SAFE_INTEGER,
  'expected a number of bytes, digits only, at least 1',
);

/** Text that may not be empty. */
export const text = (expected: string) => z.string({ error: expected }).min(1, expected);
export const Text = text('expected text');

/** A key or token. */
export const Secret = text('expected a secret');

const secretCharsMin = 16;

/** A secret from which keys are derived: a shorter one could be guessed from what they sign. */
export const LongSecret = text('expected a secret').refine(
  (secret) => secret.trim().length >= secretCharsMin,
  {
    error: `expected at least ${secretCharsMin} characters, for example those that openssl rand -hex 16 prints`,
  },
);

/** Text in a form; the same sentence for all values without it. */
export const matching = (form: RegExp, expected: string) =>
  z.string({ error: expected }).regex(form, expected);

/** One of these words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` });

/** true or false. */
export const Flag = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((value) => value === 'true');

/** Items separated by commas. Spaces around them and empty items are left out. */
export const list = (expected: string, isValid: (item: string) => boolean) =>
  z
    .string({ error: expected })
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine((items) => items.every(isValid), expected);

function url(protocols: readonly string[], expected: string) {
  const matches = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol);
  return z.string({ error: expected }).refine(matches, expected);
}

export const httpUrl = (example: string) => url(['http:', 'https:'], `expected an address like ${example}`);
export const HttpUrl = httpUrl('https://example.com');

/** A Postgres connection string. */
export const DatabaseUrl = url(
  ['postgres:', 'postgresql:'],
  'expected an address like postgresql://user:password@host:5432/database',
);

/** A Redis connection string. */
export const RedisUrl = url(['redis:', 'rediss:'], 'expected an address like redis://host:6379');
