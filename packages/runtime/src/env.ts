import { readFileSync } from 'node:fs';
import { keptDaysRange } from '@draftshelf/domain/access/preferences';
import { z } from 'zod';

/** Thrown for an invalid configuration, with a sentence for each problem. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** Sets `NAME` from the file at `NAME_FILE`. Throws ConfigurationError if a file is unreadable, or both are set. */
export function readSecretFiles(source: EnvSource, names: readonly string[]): EnvSource {
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
 * Reads a configuration. Unless the schema accepts '', an empty value counts as unset, because compose files and
 * shells produce such values. Throws ConfigurationError with all problems, but without values, which may be secrets.
 */
export function readEnv<Schema extends z.ZodObject>(schema: Schema, source: EnvSource): z.infer<Schema> {
  const given: Record<string, string> = {};
  const filled = readSecretFiles(source, Object.keys(schema.shape));
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

/** Returns the result of `read`. If `read` throws ConfigurationError, prints the problems and exits with code 1. */
export function exitOnConfigurationError<Config>(read: () => Config): Config {
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

/** A port. For 0 the system chooses a free port. */
export const Port = wholeNumber(0, 65_535, 'expected a port, a whole number from 0 to 65535');

/** Splits a text at commas and trims the items. */
const items = (error: string) =>
  z.string({ error }).transform((text) => text.split(',').map((item) => item.trim()));

const Address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Addresses and networks: `10.0.0.7, 172.16.0.0/12, fd00::/8`. */
export const Addresses = items('expected addresses')
  .refine((all) => all.every((one) => Address.safeParse(one).success), {
    error: 'expected addresses or networks separated by commas, like 10.0.0.7, 172.16.0.0/12',
    abort: true,
  })
  .refine((all) => all.every((one) => !/\/0+$/.test(one)), {
    error: 'a network of /0 would trust everybody, name the addresses of your proxies',
  });

/** Host names: `cdn.example.com, pictures.example.org`. */
export const Hosts = items('expected host names').refine(
  (all) => all.every((host) => /^[\w-]+(?:\.[\w-]+)*$/.test(host)),
  {
    error: 'expected host names separated by commas, like cdn.example.com',
  },
);

export const Count = wholeNumber(1, 1_000_000_000, 'expected a whole number of at least 1');

/** Number of days. Null for `never`. */
export const KeptDays = z
  .string()
  .transform((text) => (text === 'never' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN))
  .refine((days) => days === null || (days >= keptDaysRange.min && days <= keptDaysRange.max), {
    error: `expected a number of days from ${keptDaysRange.min} to ${keptDaysRange.max}, or never`,
  });

export const Bytes = wholeNumber(
  1,
  Number.MAX_SAFE_INTEGER,
  'expected a number of bytes, digits only, at least 1',
);

export const text = (expected: string) => z.string({ error: expected }).min(1, expected);
export const Text = text('expected text');

export const Secret = text('expected a secret');

const secretCharsMin = 16;

/** A secret of enough characters. A shorter secret could be guessed from signatures made with keys derived from it. */
export const LongSecret = text('expected a secret').refine(
  (secret) => secret.trim().length >= secretCharsMin,
  {
    error: `expected at least ${secretCharsMin} characters, for example those that openssl rand -hex 16 prints`,
  },
);

export const matchingText = (form: RegExp, expected: string) =>
  z.string({ error: expected }).regex(form, expected);

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` });

export const Flag = z
  .enum(['true', 'false'], { error: 'expected true or false' })
  .transform((value) => value === 'true');

/** Returns the schema of a list separated by commas. Empty items are skipped. */
export const commaList = (expected: string, isValid: (item: string) => boolean) =>
  items(expected)
    .transform((all) => all.filter((item) => item !== ''))
    .refine((all) => all.every(isValid), expected);

function url(protocols: readonly string[], expected: string) {
  const matches = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol);
  return z.string({ error: expected }).refine(matches, expected);
}

export const httpUrl = (example: string) => url(['http:', 'https:'], `expected an address like ${example}`);
export const HttpUrl = httpUrl('https://example.com');

export const DatabaseUrl = url(
  ['postgres:', 'postgresql:'],
  'expected an address like postgresql://user:password@host:5432/database',
);

export const RedisUrl = url(['redis:', 'rediss:'], 'expected an address like redis://host:6379');
