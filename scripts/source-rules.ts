/**
 * Rules of docs/ARCHITECTURE.md that are checked in the text of source files: only `queues` knows the queue's backend,
 * no transaction waits for a network, one function writes an import's status, one file writes products to the store,
 * text and JSON reach Postgres only in a form that it can store, one package has SQL, one component loads pictures, the
 * web's buttons keep the focus, the development server can update screens in place, and durations are not measured with
 * a clock that somebody may set.
 */

/** Packages of the queue's backend. Only `queues` may use them, and tests, which empty and inspect queues. */
const backends = ['bullmq', 'ioredis'];
const backendFolders = ['packages/queues', 'tests'];

/** The only package with SQL. Its functions run in transactions. */
const sqlFolder = 'packages/core';
/** Modules with which such functions could wait for something else than Postgres. */
const networks = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'undici', 'minio'];
const fetches = /(?<![\w.])fetch\(/;
/** Of the server, what calls the global fetch, which unpacks what any server sends; not one that it is given. */
const isPacked = (name: string, source: string) =>
  /^(?:apps|packages)\/(?!web\/)/.test(name) &&
  fetches.test(source) &&
  !source.includes('fetch: GuardedFetch');

/** Use cases that wait for object storage: they store files and photos before the transactions that name them. */
const storingFiles = [
  'packages/core/src/reading/take-file.ts',
  'packages/core/src/enrich/pictures/store-photo.ts',
  'packages/core/src/enrich/pictures/take-pictures.ts',
];

/** The file of moveStatus, the only function that writes an import's status. */
const statusFile = 'packages/core/src/imports/imports.ts';

/** The files that write products to the store, as its decision says: one of pushes and calls, and one of undos. */
const writingFiles = ['packages/publishing/src/call-store.ts', 'packages/publishing/src/undo/call-undo.ts'];

/** The folder of openDatabase and listen, whose connections replace in parameters what Postgres cannot store. */
const connectionFolder = `${sqlFolder}/src/connection/`;
const opensConnection = /\bnew (?:pg\.)?(?:Pool|Client)\(/;
/** The files of COPY, which passes bytes and no parameters: rows that were read, and the tables of a backup. */
const copyFiles = [
  'packages/core/src/reading/copy-rows.ts',
  'packages/core/src/operate/backup/copy-table.ts',
];

/**
 * Makes JSON that is not for a json column: the guard itself, cells as the file has them, bytes that are sealed, keys
 * and what is hashed.
 */
const jsonFiles = [
  `${connectionFolder}storable-json.ts`,
  'packages/core/src/reading/copy-piece.ts',
  'packages/core/src/access/credentials.ts',
  'packages/core/src/enrich/ai/collect-asks.ts',
  'packages/core/src/enrich/ai/estimate-asking.ts',
  'packages/core/src/push/pushed-before.ts',
  'packages/core/src/review/corrections/compare-records.ts',
];
/** A parameter of a statement that becomes JSON, with braces of one level inside. */
const jsonParameters =
  /\$\{((?:[^{}]|\{[^{}]*\})*)\}::jsonb?|\bjsonb?_to_recordset\(\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;

/** Statements, which only the package of SQL has, apart from tests. */
const statements =
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql`[^`]*\b(?:from|into|update)\s/;

/** The component that asks whether a browser may load a picture's address. */
const pictureFile = 'apps/web/src/ui/picture.tsx';

/**
 * Files that may ask for the time of day, which somebody may set: they name or compare moments, for people, for files
 * or for another server. The web app shows times.
 */
const momentFiles = [
  'apps/api/src/access/source-keys.ts',
  'apps/parse-worker/src/main.ts',
  'packages/core/src/work/report-process.ts',
  'packages/core/src/enrich/admit-calls.ts',
  'packages/sources/src/adapters.ts',
  'infra/s3/s3-store.ts',
];
const momentFolders = [
  'apps/web',
  'apps/simulators/store',
  'apps/simulators/sources',
  'apps/simulators/graph',
  'apps/simulators/ai',
  'scripts',
];
const asksForMoment = /\bDate\.now\(\)/;
/** The only file with the library's buttons, which lose the focus while they load. */
const buttonFile = 'apps/web/src/ui/basics.tsx';
const libraryButtons = ['Button', 'ActionIcon'];

/** What the kit of the web does, the folders and files that may do it by hand, and what everything else uses. */
const kit: readonly { byHand: RegExp; may: readonly string[]; use: string }[] = [
  {
    byHand: /\blazily\(|<Suspense\b|\buseOpened\(/,
    may: ['apps/web/src/ui/', 'apps/web/src/app/', 'apps/web/src/lib/'],
    use: 'later or overlay of ui/later.tsx',
  },
  {
    byHand: />\s*Try Again\s*</,
    // What is tried again there is no read: the camera, an upload, the preview of a change, an import that is missing.
    may: [
      'apps/web/src/ui/feedback/read.tsx',
      'apps/web/src/app/',
      'apps/web/src/features/scanner/',
      'apps/web/src/features/upload/files/',
      'apps/web/src/features/import/bulk-edit/edit-preview.tsx',
      'apps/web/src/features/import/page/import-page.tsx',
    ],
    use: 'Read or ReadFailure of ui/feedback/read.tsx',
  },
  {
    byHand: /\bTable\b[^;]*\bfrom '@mantine\/core'/,
    may: [],
    use: 'Table of ui/table/record-table.tsx',
  },
];

/** Files of screens. Vite reloads the whole page after a change of a file that exports more than components. */
const screenFile = /^apps\/web\/src\/features\/[^/]+\/(?:page\/)?[^/]+-page\.tsx$/;
const otherExport = /^export (?!function Component\()/m;

/** Modules with schemas. Their library is larger than most screens, so none is in the first load. */
const loadsSchemas = /^zod$|^@draftshelf\/contract\/(?!paths$|wire$)|^@draftshelf\/domain\/.*-schema$/;

const commentLineMax = 120;
const isComment = /^\s*(?:\/\/|\/\*|\*)/;

export type SourceFile = { folder: string; name: string; source: string; specifiers: readonly string[] };

/** Returns one sentence per violation in a file; `name` is its path below the root. */
export function breachesIn({ folder, name, source, specifiers }: SourceFile): string[] {
  const found = specifiers.flatMap((specifier) => {
    const reason = reasonAgainst(folder, name, specifier);
    return reason ? [`${name}: imports ${specifier}, but ${reason}`] : [];
  });
  found.push(...longCommentsIn(name, source));
  if (isTest(folder, name)) return found;
  if (name !== buttonFile && namesOf(source, '@mantine/core').some((one) => libraryButtons.includes(one))) {
    found.push(`${name}: imports a button of the library, but the buttons of ${buttonFile} keep the focus`);
  }
  if (
    !writingFiles.includes(name) &&
    namesOf(source, '@draftshelf/shopify/products').includes('setProduct')
  ) {
    found.push(
      `${name}: writes a product to the store, but only ${writingFiles.join(' and ')} do, once it is marked as sent`,
    );
  }
  if (folder === sqlFolder && fetches.test(source)) {
    found.push(`${name}: calls fetch, but its functions run in transactions, which wait for nothing else`);
  } else if (isPacked(name, source)) {
    found.push(
      `${name}: calls fetch, which unpacks any reply, but plainFetch and the guarded fetch unpack none`,
    );
  }
  if (statusWrites(source) > (name === statusFile ? 1 : 0)) {
    found.push(`${name}: sets imports.status, but only moveStatus of ${statusFile} does`);
  }
  if (folder !== sqlFolder && statements.test(source)) {
    found.push(`${name}: has a statement, but only ${sqlFolder} has SQL`);
  }
  if (folder === 'apps/web' && name !== pictureFile && /<img\b/.test(source)) {
    found.push(`${name}: loads a picture, but only ${pictureFile} knows which addresses a browser may load`);
  }
  if (screenFile.test(name) && otherExport.test(source)) {
    found.push(
      `${name}: exports more than Component, so the development server could not update it in place`,
    );
  }
  found.push(...kitBreaches(name, source));
  const loaded = name.startsWith('apps/web/src/') ? valuesFrom(source, loadsSchemas) : [];
  if (loaded.length > 0) {
    found.push(
      `${name}: loads ${loaded.join(', ')}, but the web takes types from schemas, and values from contract/paths and contract/wire`,
    );
  }
  const mayAsk = momentFolders.includes(folder) || momentFiles.includes(name);
  if (!mayAsk && asksForMoment.test(source)) {
    found.push(
      `${name}: calls Date.now(), but durations are measured with performance.now(), and times in the database by Postgres`,
    );
  }
  return [...found, ...guardBreaches({ folder, name, source, specifiers })];
}

function kitBreaches(name: string, source: string): string[] {
  if (!name.startsWith('apps/web/src/')) return [];
  return kit
    .filter(({ byHand, may }) => !may.some((place) => name.startsWith(place)) && byHand.test(source))
    .map(({ use }) => `${name}: does by hand what the kit does: use ${use}`);
}

/** Comment lines that are too long: the formatter wraps code only. */
function longCommentsIn(name: string, source: string): string[] {
  return source
    .split('\n')
    .flatMap((line, at) =>
      line.length > commentLineMax && isComment.test(line)
        ? [
            `${name}:${at + 1}: has a comment of ${line.length} characters, but ${commentLineMax} is the limit`,
          ]
        : [],
    );
}

/** Where text or JSON would reach Postgres past the guard. */
function guardBreaches({ folder, name, source, specifiers }: SourceFile): string[] {
  const found: string[] = [];
  const usesPg = specifiers.includes('pg') || specifiers.some((one) => one.startsWith('pg/'));
  if (usesPg && !name.startsWith(connectionFolder) && opensConnection.test(source)) {
    found.push(`${name}: opens a connection, but only openDatabase guards what Postgres cannot store`);
  }
  if (specifiers.includes('pg-copy-streams') && !copyFiles.includes(name)) {
    found.push(`${name}: copies rows, but only ${copyFiles.join(' and ')} do`);
  }
  const isSql = folder === sqlFolder || specifiers.includes('kysely');
  if (isSql && source.includes('JSON.stringify(') && !jsonFiles.includes(name)) {
    found.push(`${name}: calls JSON.stringify, but JSON for Postgres is made by storableJson`);
  }
  const parameters = isSql ? [...source.matchAll(jsonParameters)] : [];
  if (parameters.some(([, cast, records]) => !(cast ?? records ?? '').includes('storableJson('))) {
    found.push(`${name}: passes JSON to Postgres that storableJson has not made`);
  }
  return found;
}

/** Why a folder's package.json or source may not use an external package, or undefined. */
export function reasonAgainst(folder: string, name: string, specifier: string): string | undefined {
  const [first = ''] = specifier.replace(/^node:/, '').split('/');
  if (backends.includes(first) && !backendFolders.includes(folder)) {
    return 'the backend of the queue is known to packages/queues only';
  }
  if (
    specifier.startsWith('@draftshelf/object-storage/') &&
    folder === sqlFolder &&
    !storingFiles.includes(name)
  ) {
    return `of use cases only ${storingFiles.join(', ')} wait for object storage; the others run in transactions`;
  }
  if (networks.includes(first) && folder === sqlFolder && !isTest(folder, name)) {
    return 'its functions run in transactions, which wait for nothing else';
  }
  return undefined;
}

const isTest = (folder: string, name: string) => folder === 'tests' || /\.test\.tsx?$/.test(name);

/** What a file imports with values: the specifiers that match. */
function valuesFrom(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(/^import (?!type )[^;]*? from '([^']+)'/gm)].flatMap(([, from = '']) =>
    pattern.test(from) ? [from] : [],
  );
}

/** What a file imports from a package by name, without types. */
function namesOf(source: string, specifier: string): string[] {
  const statements = source.matchAll(/^import \{([^}]*)\} from '([^']+)'/gm);
  return [...statements]
    .filter(([, , from]) => from === specifier)
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().split(' as ')[0] ?? '');
}

/** How many statements set the column; each is searched up to its first condition. */
function statusWrites(source: string): number {
  const built = source.matchAll(/\.updateTable\('imports'\)(.*?)(?:\.where\(|\.execute)/gs);
  const written = source.matchAll(/\bupdate\s+imports\s+set\b(.*?)(?:\bwhere\b|`)/gis);
  const sets = [...[...built].map(isSetInKysely), ...[...written].map(isSetInSql)];
  return sets.filter(Boolean).length;
}

const isSetInKysely = ([, text = '']: RegExpExecArray) =>
  /[{,\s]status:|[{,]\s*status\s*[,}]|'status'/.test(text);
const isSetInSql = ([, text = '']: RegExpExecArray) => /(^|[\s,])status\s*=/.test(text);
