import { archiveBytesMaxDefault, fileBytesMaxDefault, readLimitsDefault } from '@draftshelf/csv/limits';
import { sourceNames } from '@draftshelf/domain/enrich/sources';
import type { Stage } from '@draftshelf/domain/imports/stages';
import { z } from 'zod';
import {
  Addresses,
  Bytes,
  Count,
  commaList,
  DatabaseUrl,
  Flag,
  Hosts,
  HttpUrl,
  httpUrl,
  KeptDays,
  LongSecret,
  matchingText,
  oneOf,
  Port,
  RedisUrl,
  Secret,
  Text,
  text,
} from './env.ts';

const workers = ['parse-worker', 'enrich-worker', 'push-worker'] as const;
const simulators = ['store-simulator', 'source-simulator', 'graph-simulator', 'ai-simulator'] as const;

/** Programs that read variables. 'start' also chooses the addresses of the simulators and services that it runs. */
export type EnvReader =
  | 'start'
  | 'migrate'
  | 'backup'
  | 'sealing-keys'
  | 'api'
  | (typeof workers)[number]
  | 'folder-worker'
  | 'keeper'
  | (typeof simulators)[number];

export type EnvVariable = {
  schema: z.ZodType;
  readBy: readonly EnvReader[];
  /** Meaning of the variable in one sentence, as Markdown for docs/CONFIGURATION.md. */
  meaning: string;
  /** Behavior without the variable, in Markdown. Only for variables without a default. */
  unset?: string;
  /** Default of a required variable in npm start and docker-compose.yml. */
  startDefault?: string;
  /** Whether the variable is set by npm start, npm run dev, the image or a test, and never by an operator. */
  isInner?: true;
  /** Whether docker-compose.yml fixes the variable, by setting or omitting it. Then .env.example has no line for it. */
  isFixedInCompose?: true;
};

/** Chunks at once. If a store answers in 1 s, 12 push chunks take 4 s each: half an Enterprise store's rate limit. */
export const concurrencyDefaults: Record<Stage, number> = { parse: 2, enrich: 2, push: 12 };

/** First segments of the app's paths. A bucket with such a name would hide the path (infra/environment.test.ts). */
export const appPathSegments: readonly string[] = [
  ...['api', 'admin', 'assets', 'index.html', 'icon.svg', 'sample'],
  ...['login', 'upload', 'queue', 'history', 'shopify', 'scanner', 'settings', 'suppliers'],
];

const sealingKey = matchingText(
  /^[\da-f]{64}$/i,
  'expected 64 hexadecimal digits, as openssl rand -hex 32 prints them',
);
/** The rule of S3 for bucket names, which also forbids two dots in a row and the form of an IPv4 address. */
const bucketName = /^(?!.*\.\.)(?!\d+(?:\.\d+){3}$)[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const isOrigin = (value: string) =>
  /^sftp:\/\/[^\s/@]+$/.test(value) || (URL.canParse(value) && new URL(value).origin === value);
const isSourceName = (name: string) => (sourceNames as readonly string[]).includes(name);
const kept = 'generated and kept in the data directory';
const inSettings = 'the one entered in Settings';
const inSettingsNever = 'the days entered in Settings, or `never`';

/** Returns the catalog's entry for a limit. Every program that reads files reads this limit. */
const fileLimit = (schema: typeof Bytes, limit: number, meaning: string) => ({
  schema: schema.prefault(String(limit)),
  readBy: ['api', 'parse-worker', 'folder-worker'] as const,
  meaning,
});

/** Source of docs/CONFIGURATION.md. infra/environment.test.ts compares .env.example and docker-compose.yml with it. */
export const envCatalog = {
  PORT: { schema: Port.prefault('3000'), readBy: ['api'], meaning: 'Port of the web app' },
  HOST: {
    schema: Text.prefault('127.0.0.1'),
    readBy: ['api'],
    meaning: 'Address on which the web app is served; `0.0.0.0` opens it to the network',
  },
  PUBLIC_URL: {
    schema: HttpUrl.optional(),
    readBy: ['api'],
    unset: '`http://localhost:PORT`',
    meaning: 'The address that browsers use',
  },
  TRUSTED_PROXIES: {
    schema: Addresses.default([]),
    readBy: ['api'],
    unset: 'none',
    meaning:
      'Addresses and networks of reverse proxies whose `X-Forwarded-For` is trusted, separated by commas',
  },
  DATA_DIR: {
    schema: Text.prefault('.data'),
    readBy: ['start'],
    meaning: 'Where `npm start` stores everything',
    isFixedInCompose: true,
  },
  ACCESS_KEY: {
    schema: z.string({
      error:
        'expected the access key of the operators; set it empty to turn sign-in off, on a loopback address only',
    }),
    readBy: ['api'],
    unset: kept,
    meaning:
      'The key to sign in with, at least 12 characters unless `HOST` is a loopback address; set but empty: no key, loopback only',
  },
  SESSION_SECRET: {
    schema: LongSecret,
    readBy: ['api'],
    unset: kept,
    meaning: 'Signs the session cookie, at least 16 characters',
  },
  DATABASE_URL: {
    schema: DatabaseUrl,
    readBy: ['migrate', 'backup', 'api', ...workers, 'folder-worker', 'keeper'],
    unset: 'embedded Postgres',
    meaning: 'Postgres 15 to 18',
    isFixedInCompose: true,
  },
  APP_DATABASE_URL: {
    schema: DatabaseUrl.optional(),
    readBy: ['migrate'],
    unset: '`DATABASE_URL`',
    meaning:
      'The same database with the role of the api and the workers, which owns no tables; the role of `DATABASE_URL` then only migrates, and creates the other one if it may',
    isFixedInCompose: true,
  },
  REDIS_URL: {
    schema: RedisUrl.optional(),
    readBy: ['api', ...workers, 'folder-worker'],
    unset: 'none: jobs are kept in Postgres',
    meaning: 'Redis or Valkey for BullMQ',
    isFixedInCompose: true,
  },
  S3_ENDPOINT: {
    schema: HttpUrl,
    readBy: ['backup', 'api', 'parse-worker', 'push-worker', 'folder-worker', 'keeper'],
    unset: 'embedded S3 server',
    meaning: 'Object storage for uploaded files and photos',
    isFixedInCompose: true,
  },
  S3_ACCESS_KEY: {
    schema: Secret,
    readBy: ['backup', 'api', 'parse-worker', 'push-worker', 'folder-worker', 'keeper'],
    unset: 'the one of the embedded server',
    meaning: 'Access key of the object storage',
    isFixedInCompose: true,
  },
  S3_SECRET_KEY: {
    schema: Secret,
    readBy: ['backup', 'api', 'parse-worker', 'push-worker', 'folder-worker', 'keeper'],
    unset: 'the one of the embedded server',
    meaning: 'Secret key of the object storage',
  },
  S3_BUCKET: {
    schema: matchingText(
      bucketName,
      'expected a bucket name, 3 to 63 lowercase letters, digits, dots and hyphens',
    ).refine(
      (name) => !appPathSegments.includes(name),
      'expected a name that is no address of the app, because photos are sent to /BUCKET/uploads',
    ),
    readBy: ['backup', 'api', 'parse-worker', 'push-worker', 'folder-worker', 'keeper'],
    startDefault: 'draftshelf',
    meaning:
      'Bucket of uploaded files and photos, created if it does not exist; photos are sent to `/BUCKET/uploads` of the web app',
  },
  S3_REGION: {
    schema: text('expected a region').prefault('us-east-1'),
    readBy: ['backup', 'api', 'parse-worker', 'push-worker', 'folder-worker', 'keeper'],
    meaning: 'Region of the object storage',
  },
  SHOPIFY_STORE_URL: {
    schema: httpUrl('https://my-store.myshopify.com').optional(),
    readBy: ['api', 'push-worker', 'folder-worker'],
    unset: 'the store entered in Settings, at first the simulated one',
    meaning: '`https://….myshopify.com`',
  },
  SHOPIFY_ACCESS_TOKEN: {
    schema: Secret.optional(),
    readBy: ['api', 'push-worker'],
    unset: inSettings,
    meaning: 'Access token for the store, if no client id and secret are set',
  },
  SHOPIFY_CLIENT_ID: {
    schema: Text.optional(),
    readBy: ['api', 'push-worker'],
    unset: inSettings,
    meaning: 'Client id of an app in the store, instead of an access token',
  },
  SHOPIFY_CLIENT_SECRET: {
    schema: Secret.optional(),
    readBy: ['api', 'push-worker'],
    unset: inSettings,
    meaning: 'Client secret of the app',
  },
  SHOPIFY_API_VERSION: {
    schema: matchingText(/^(\d{4}-\d{2}|unstable)$/, 'expected a version like 2026-10').prefault('2026-10'),
    readBy: ['api', 'push-worker'],
    meaning: 'Version of the Admin API',
  },
  LOCAL_STORES: {
    schema: Flag.prefault('false'),
    readBy: ['api'],
    meaning: '`true`: Settings also takes stores on this machine and in its network, not only the demo store',
  },
  CREDENTIALS_KEY: {
    schema: sealingKey.optional(),
    readBy: ['migrate', 'backup', 'sealing-keys', 'api'],
    unset: kept,
    meaning: 'Makes the keys that seal the credentials entered in Settings: 64 hexadecimal digits',
  },
  CREDENTIALS_KEY_OLD: {
    schema: sealingKey.optional(),
    readBy: ['migrate', 'backup', 'api'],
    unset: 'none',
    meaning: 'The key before, while it is replaced',
  },
  SEALING_KEY: {
    schema: sealingKey.optional(),
    readBy: ['enrich-worker', 'push-worker', 'folder-worker'],
    unset: 'made from `CREDENTIALS_KEY`',
    meaning: 'Opens the credentials that one worker works with, and no others',
    isFixedInCompose: true,
  },
  UPCITEMDB_KEY: {
    schema: Secret.optional(),
    readBy: ['api', 'enrich-worker'],
    unset: `${inSettings}, or none`,
    meaning: 'Key for the paid plan of UPCitemdb',
  },
  BARCODE_LOOKUP_KEY: {
    schema: Secret.optional(),
    readBy: ['api', 'enrich-worker'],
    unset: inSettings,
    meaning: 'Key for Barcode Lookup, which needs one',
  },
  UPCITEMDB_URL: {
    schema: HttpUrl.prefault('https://api.upcitemdb.com'),
    readBy: ['api', 'enrich-worker'],
    meaning: 'Address of UPCitemdb, or of a gateway to it',
  },
  OPEN_PRODUCTS_FACTS_URL: {
    schema: HttpUrl.prefault('https://world.openproductsfacts.org'),
    readBy: ['api', 'enrich-worker'],
    meaning: 'Address of Open Products Facts, or of a gateway to it',
  },
  BARCODE_LOOKUP_URL: {
    schema: HttpUrl.prefault('https://api.barcodelookup.com'),
    readBy: ['api', 'enrich-worker'],
    meaning: 'Address of Barcode Lookup, or of a gateway to it',
  },
  SOURCES_ON: {
    schema: commaList(
      `expected names out of ${sourceNames.join(', ')}, separated by commas`,
      isSourceName,
    ).default([]),
    readBy: ['api'],
    unset: 'none',
    meaning: `Sources that are on at the first start, separated by commas: ${sourceNames.map((name) => `\`${name}\``).join(', ')}`,
  },
  SOURCES_CONTACT: {
    schema: Text.default('no contact given'),
    readBy: ['api', 'enrich-worker'],
    unset: 'none',
    meaning: 'How a source can reach you about requests; Open Products Facts asks for it',
  },
  IMAGE_HOSTS: {
    schema: Hosts.default([]),
    readBy: ['api', 'enrich-worker', 'push-worker'],
    unset: 'any',
    meaning: 'Hosts that pictures may be on, also after redirects, separated by commas',
  },
  FETCH_ALLOW: {
    schema: commaList('expected origins like http://127.0.0.1:4010, separated by commas', isOrigin).default(
      [],
    ),
    readBy: ['api', 'enrich-worker', 'folder-worker'],
    unset: 'none',
    meaning:
      'Origins that are fetched although they are not on the public internet; of an sftp server `sftp://HOST:PORT`',
  },
  FETCH_PUBLIC: {
    schema: Flag.prefault('true'),
    readBy: ['api', 'enrich-worker', 'folder-worker'],
    meaning: '`false`: nothing on the public internet is fetched',
  },
  AI_BASE_URL: {
    schema: HttpUrl.optional(),
    readBy: ['api', 'enrich-worker'],
    unset: 'the one entered in Settings, or none',
    meaning:
      'Address of an AI service with OpenAI’s chat completions, like `https://api.openai.com/v1` or `http://localhost:11434/v1`; it is asked only when an operator asks for proposals',
  },
  AI_API_KEY: {
    schema: Secret.optional(),
    readBy: ['api', 'enrich-worker'],
    unset: 'none',
    meaning: 'Key for the service at `AI_BASE_URL`',
  },
  AI_MODEL: {
    schema: Text.optional(),
    readBy: ['api', 'enrich-worker'],
    unset: 'none',
    meaning: 'Model of the service at `AI_BASE_URL`, which needs one',
  },
  WATCH_FOLDER: {
    schema: Text.optional(),
    readBy: ['folder-worker'],
    unset: '`watched` in the data directory',
    meaning: 'Folder whose CSV files become imports, once monitoring is on in Settings',
    isFixedInCompose: true,
  },
  ONEDRIVE_CLIENT_ID: {
    schema: Text.optional(),
    readBy: ['folder-worker'],
    unset: 'none',
    meaning: 'Application id of your app registration at Microsoft, for the sign-in to OneDrive with a code',
  },
  ONEDRIVE_TENANT: {
    schema: matchingText(
      /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i,
      'expected common, organizations, consumers, or the id or domain of a tenant',
    ).prefault('common'),
    readBy: ['folder-worker'],
    meaning: 'Who may sign in to OneDrive: `common`, `organizations`, `consumers`, or the id of one tenant',
  },
  ONEDRIVE_CLOUD: {
    schema: oneOf(['global', 'us-government', 'us-dod', 'china']).prefault('global'),
    readBy: ['folder-worker'],
    meaning: 'Microsoft cloud of the app registration: `global`, `us-government`, `us-dod`, `china`',
  },
  CSV_BYTES_MAX: fileLimit(Bytes, fileBytesMaxDefault, 'Largest file, in bytes'),
  ARCHIVE_BYTES_MAX: fileLimit(
    Bytes,
    archiveBytesMaxDefault,
    'Largest ZIP archive of a list and its pictures, in bytes',
  ),
  RECORD_BYTES_MAX: fileLimit(Bytes, readLimitsDefault.recordBytesMax, 'Longest record of a file, in bytes'),
  CELL_BYTES_MAX: fileLimit(Bytes, readLimitsDefault.cellBytesMax, 'Longest cell of a file, in bytes'),
  COLUMNS_MAX: fileLimit(Count, readLimitsDefault.columnsMax, 'Most cells of a record'),
  ROWS_MAX: fileLimit(Count, readLimitsDefault.rowsMax, 'Most rows of a file, without its header'),
  KEEP_ROWS_DAYS: {
    schema: KeptDays.optional(),
    readBy: ['api', 'parse-worker'],
    unset: inSettingsNever,
    meaning:
      'Days after its end when the rows of an import are removed, or `never`; Read Again restores them',
  },
  KEEP_FILES_DAYS: {
    schema: KeptDays.optional(),
    readBy: ['api', 'parse-worker'],
    unset: inSettingsNever,
    meaning: 'Days after its end when the file of an import is removed for good, or `never`',
  },
  BACKUP_DIR: {
    schema: Text,
    readBy: ['keeper'],
    unset: '`backups` in the data directory',
    meaning:
      'Folder of the nightly backups of this installation and no other, best on another disk; `never`: `npm start` makes none',
    isFixedInCompose: true,
  },
  BACKUP_AT: {
    schema: matchingText(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time like 03:15').prefault('03:15'),
    readBy: ['keeper'],
    meaning: 'When a backup is made, by the local clock (`TZ`); up to two hours later while files are read',
  },
  BACKUP_KEEP: {
    schema: Count.prefault('14'),
    readBy: ['keeper'],
    meaning: 'Nightly backups that are kept, besides those of eight Sundays',
  },
  CONCURRENCY: {
    schema: Count.optional(),
    readBy: [...workers],
    unset: Object.entries(concurrencyDefaults)
      .map(([stage, chunks]) => `${chunks} ${stage}`)
      .join(', '),
    meaning: 'Chunks that one worker process works on at once',
    isFixedInCompose: true,
  },
  LOG_LEVEL: {
    schema: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).prefault('info'),
    readBy: ['api', ...workers, 'folder-worker', 'keeper', ...simulators],
    meaning: "pino's levels",
  },
  METRICS_PORT: {
    schema: Port.optional(),
    readBy: ['api', ...workers, 'folder-worker', 'keeper'],
    unset: 'none: no metrics are served',
    meaning: 'Port for Prometheus (`/metrics`); with `npm start` the other programs take the next five',
  },
  METRICS_HOST: {
    schema: Text.prefault('127.0.0.1'),
    readBy: ['api', ...workers, 'folder-worker', 'keeper'],
    meaning: 'Address on which metrics are served; `0.0.0.0` in containers',
  },
  ALERT_WEBHOOK_URL: {
    schema: HttpUrl.optional(),
    readBy: ['api'],
    unset: 'none',
    meaning: 'Address that is told by a POST when a condition of Settings › Debug begins and when it ends',
  },
  PLAN: {
    schema: oneOf(['standard', 'advanced', 'plus', 'enterprise']).prefault('standard'),
    readBy: ['store-simulator'],
    meaning:
      'Plan of the demo store, which decides its rate limit: `standard`, `advanced`, `plus`, `enterprise`',
    isFixedInCompose: true,
  },
  SECOND_SHOP_PORT: {
    schema: Port.optional(),
    readBy: ['store-simulator'],
    unset: 'none',
    meaning: 'Port of a second demo store, with other products and another currency',
    isFixedInCompose: true,
  },
  CHECK_REPLIES: {
    schema: Flag.prefault('false'),
    readBy: ['api'],
    meaning: '`true`, set by `npm run dev`: a reply that breaks its contract is an error',
    isInner: true,
  },
  WEB_DIR: { schema: Text, readBy: ['api'], meaning: 'The built web app', isInner: true },
  DISK_DIR: {
    schema: Text.optional(),
    readBy: ['api'],
    meaning: 'A directory on the disk of the embedded services, whose free space is watched',
    isInner: true,
  },
  DEMO_STORE_URL: {
    schema: HttpUrl.optional(),
    readBy: ['api'],
    meaning: 'The demo store, saved as credentials unless the operator has saved others',
    isInner: true,
  },
  DEMO_STORE_TOKEN: {
    schema: Secret.optional(),
    readBy: ['api'],
    meaning: 'Access token for the demo store',
    isInner: true,
  },
  DEMO_SOURCES_URL: {
    schema: HttpUrl.optional(),
    readBy: ['api', 'enrich-worker'],
    meaning: 'The simulated sources, which are asked only while nothing real is set',
    isInner: true,
  },
  DEMO_AI_URL: {
    schema: HttpUrl.optional(),
    readBy: ['api', 'enrich-worker'],
    meaning: 'The simulated AI service, which is asked only while neither a service nor a real store is set',
    isInner: true,
  },
  DEMO_GRAPH_URL: {
    schema: HttpUrl.optional(),
    readBy: ['folder-worker'],
    meaning: 'The simulated OneDrive, which is used only while ONEDRIVE_CLIENT_ID is not set',
    isInner: true,
  },
  FOLDER_SETTLE_MS: {
    schema: Count.prefault('10000'),
    readBy: ['folder-worker'],
    meaning: 'Milliseconds for which a file of the watched folder must stay the same before it is read',
    isInner: true,
  },
  RETRY_BASE_MS: {
    schema: Count.prefault('1000'),
    readBy: [...workers],
    meaning: "Milliseconds between a chunk's first failed attempt and the second; doubled after each",
    isInner: true,
  },
  HEALTH_FILE: {
    schema: Text.optional(),
    readBy: [...workers, 'folder-worker', 'keeper'],
    meaning: "The file that a container's health check reads",
    isInner: true,
  },
} as const satisfies Record<string, EnvVariable>;

type Catalog = typeof envCatalog;
export type VariableName = keyof Catalog;
type NamesReadBy<R extends EnvReader> = {
  [Name in VariableName]: R extends Catalog[Name]['readBy'][number] ? Name : never;
}[VariableName];
type Shape<Name extends VariableName> = { [N in Name]: Catalog[N]['schema'] };

export type EnvOf<Name extends VariableName> = z.infer<z.ZodObject<Shape<Name>>>;

export const envVariables = Object.entries(envCatalog) as [VariableName, EnvVariable][];

export const listVariablesReadBy = (reader: EnvReader): VariableName[] =>
  envVariables.filter(([, { readBy }]) => readBy.includes(reader)).map(([name]) => name);

/** Returns whether a variable is never set by an operator. */
export const isInner = (name: VariableName): boolean => 'isInner' in envCatalog[name];

export function createEnvSchema<R extends EnvReader>(reader: R): z.ZodObject<Shape<NamesReadBy<R>>> {
  const shape = Object.fromEntries(
    listVariablesReadBy(reader).map((name) => [name, envCatalog[name].schema]),
  );
  return z.object(shape as Shape<NamesReadBy<R>>);
}

/** Returns a variable's default as an operator would write it. */
export function formatDefault({ schema, startDefault }: EnvVariable): string | undefined {
  return schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : startDefault;
}
