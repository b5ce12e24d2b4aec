/**
 * Rules of docs/ARCHITECTURE.md that are checked in the text of source files: only `queues` knows the queue's backend,
 * no transaction waits for a network, and one function writes an import's status.
 */

/** Packages of the queue's backend. Only `queues` may use them, and tests, which empty and inspect queues. */
const backends = ['bullmq', 'ioredis'];
const backendFolders = ['packages/queues', 'tests'];

/** Packages whose functions run in transactions. */
const transactionFolders = ['packages/database', 'packages/imports'];
/** Modules with which such functions could wait for something else than Postgres. */
const networks = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'undici', 'minio'];
const fetches = /(?<![\w.])fetch\(/;

/** The use case that waits for object storage: it stores a file before the transaction of its import. */
const storingFile = 'packages/imports/src/intake/take-file.ts';

/** The file of moveStatus, the only function that writes an import's status. */
const statusFile = 'packages/database/src/imports/imports.ts';

export type SourceFile = { folder: string; name: string; source: string; specifiers: readonly string[] };

/** Returns one sentence per violation in a file; `name` is its path below the root. */
export function breachesIn({ folder, name, source, specifiers }: SourceFile): string[] {
  const found = specifiers.flatMap((specifier) => {
    const reason = reasonAgainst(folder, name, specifier);
    return reason ? [`${name}: imports ${specifier}, but ${reason}`] : [];
  });
  if (isTest(folder, name)) return found;
  if (transactionFolders.includes(folder) && fetches.test(source)) {
    found.push(`${name}: calls fetch, but its functions run in transactions, which wait for nothing else`);
  }
  if (statusWrites(source) > (name === statusFile ? 1 : 0)) {
    found.push(`${name}: sets imports.status, but only moveStatus of ${statusFile} does`);
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
    folder === 'packages/imports' &&
    name !== storingFile
  ) {
    return `of use cases only ${storingFile} waits for object storage; the others run in transactions`;
  }
  if (networks.includes(first) && transactionFolders.includes(folder) && !isTest(folder, name)) {
    return 'its functions run in transactions, which wait for nothing else';
  }
  return undefined;
}

const isTest = (folder: string, name: string) => folder === 'tests' || /\.test\.tsx?$/.test(name);

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
