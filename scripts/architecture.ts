import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportedNames } from './exported-names.ts';
import { type Arrows, drawPicture, pictureIn } from './picture.ts';
import { breachesIn, reasonAgainst } from './source-rules.ts';

/**
 * Who may import what of the workspace. Arrows point down only. Workers never see the contract; of the workers only
 * push sees shopify.
 */
export const mayImport: Arrows = {
  'packages/domain': [],
  'packages/csv': [],
  'packages/workbooks': ['csv', 'domain'],
  'packages/reading': ['csv', 'domain', 'workbooks'],
  'packages/runtime': ['csv', 'domain'],
  'packages/contract': ['domain', 'csv'],
  'packages/object-storage': ['csv', 'workbooks'],
  'packages/core': ['csv', 'domain', 'object-storage', 'reading', 'workbooks'],
  'packages/shopify': ['domain', 'runtime'],
  'packages/publishing': ['core', 'domain', 'shopify'],
  'packages/sources': ['domain', 'runtime'],
  'packages/folders': ['csv', 'domain', 'runtime'],
  'packages/ai': ['domain', 'runtime'],
  'packages/queues': ['core', 'domain', 'runtime'],
  'packages/backup': ['core', 'domain', 'object-storage', 'runtime'],
  'apps/api': [
    'ai',
    'contract',
    'core',
    'csv',
    'domain',
    'object-storage',
    'publishing',
    'queues',
    'runtime',
    'shopify',
    'sources',
  ],
  'apps/parse-worker': [
    'core',
    'csv',
    'domain',
    'object-storage',
    'queues',
    'reading',
    'runtime',
    'workbooks',
  ],
  'apps/enrich-worker': ['ai', 'core', 'domain', 'queues', 'runtime', 'sources'],
  'apps/push-worker': ['core', 'domain', 'object-storage', 'publishing', 'queues', 'runtime', 'shopify'],
  'apps/folder-worker': [
    'core',
    'csv',
    'domain',
    'folders',
    'object-storage',
    'queues',
    'reading',
    'runtime',
  ],
  'apps/keeper': ['backup', 'core', 'domain', 'object-storage', 'queues', 'runtime'],
  'apps/web': ['contract', 'csv', 'domain', 'reading', 'workbooks'],
  'apps/simulators/store': ['runtime'],
  'apps/simulators/sources': ['runtime'],
  'apps/simulators/graph': ['runtime'],
  'apps/simulators/ai': ['runtime'],
  infra: ['core', 'runtime'],
  scripts: ['csv', 'reading', 'workbooks'],
  tests: [
    'ai',
    'backup',
    'contract',
    'core',
    'csv',
    'domain',
    'folders',
    'infra',
    'object-storage',
    'publishing',
    'queues',
    'reading',
    'runtime',
    'shopify',
    'sources',
    'workbooks',
  ],
};

/** Rooms of one height. Those that are together may import each other: the work on an import goes through them all. */
type Floor = readonly string[] | { together: readonly string[] };

/**
 * The rooms of packages that have several, from the lowest floor up: a module imports its own room and those on lower
 * floors, so no two rooms import each other, unless they are together. '.' are the modules beside the rooms.
 */
export const floors: Readonly<Record<string, readonly Floor[]>> = {
  'packages/domain': [
    ['base', 'folders'],
    ['imports', 'reading', 'access', 'scanner'],
    ['products'],
    ['review', 'suppliers'],
    ['enrich', 'push'],
    ['work'],
    ['operate'],
  ],
  'packages/contract': [
    ['.'],
    ['imports', 'folders'],
    ['enrich', 'push', 'review', 'reading', 'scanner', 'suppliers'],
    ['access'],
    ['operate'],
    ['calls'],
  ],
  'packages/core': [
    ['connection'],
    ['migrations', 'imports', 'access'],
    { together: ['work', 'reading', 'review', 'suppliers', 'enrich', 'push', 'scanner'] },
    ['operate', 'folders'],
  ],
  'apps/api': [
    ['http'],
    ['imports', 'folders'],
    ['access', 'operate'],
    ['suppliers'],
    ['enrich', 'review', 'reading'],
    ['push'],
    ['scanner', 'work'],
    ['.'],
  ],
  'apps/web': [['lib'], ['api'], ['ui'], ['features'], ['app'], ['.']],
  'apps/web/src/features/import': [
    ['.'],
    ['status', 'prices', 'edits'],
    ['lookups', 'report', 'readiness'],
    ['mapping'],
    ['proposals', 'bulk-edit', 'corrections', 'list', 'pictures'],
    ['product', 'undo', 'recipes'],
    ['plan', 'rows'],
    ['dry-run'],
    ['page'],
  ],
};

/** The features of the web app. What others may use of one is in its index; what loads later they name by its file. */
const features = 'apps/web/src/features/';

/** Folders that run in browsers too. Their tests run in Node only. */
const browserFolders = [
  'packages/domain',
  'packages/csv',
  'packages/workbooks',
  'packages/reading',
  'packages/contract',
  'apps/web/src',
];

const scope = '@draftshelf/';
const sourceFile = /\.(ts|tsx|mts|mjs|js)$/;
const skipped = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'fixtures']);
const builtins = new Set(builtinModules);

/** Compares every import and every package.json below `root` with the table; one sentence per violation. */
export function findViolations(root: string): string[] {
  const folders = Object.keys(mayImport);
  const found = foldersOf(root)
    .filter((folder) => !folders.includes(folder))
    .map((folder) => `${folder}: this folder is not in the table of scripts/architecture.ts`);
  found.push(...manifestViolations(root, '.', mayImport.scripts ?? []));
  const imported = new Map<string, string[]>();
  const names = exportedNames();
  for (const folder of folders) {
    const allowed = mayImport[folder] ?? [];
    found.push(...manifestViolations(root, folder, allowed));
    for (const file of sourceFilesOf(path.join(root, folder))) {
      const name = path.relative(root, file);
      const source = readFileSync(file, 'utf8');
      const specifiers = importsOf(source);
      const isStatic = new Set(statementsOf(source));
      for (const specifier of specifiers) {
        const reason =
          violation(root, folder, file, specifier, allowed) ??
          (isStatic.has(specifier) ? featureViolation(name, targetOf(root, file, specifier)) : undefined);
        if (reason) found.push(`${name}: imports ${specifier}, but ${reason}`);
      }
      found.push(...breachesIn({ folder, name, source, specifiers }));
      names.add(folder, name, source);
      // Tests import nothing that imports them.
      if (folder === 'tests') continue;
      const targets = statementsOf(source).map((specifier) => targetOf(root, file, specifier));
      imported.set(name, targets);
    }
  }
  return [...found, ...names.breaches, ...circlesIn(imported)];
}

/** The circles of static imports, one sentence for each. What is loaded later may take types from its caller. */
function circlesIn(imported: ReadonlyMap<string, readonly string[]>): string[] {
  const [ended, under, found] = [new Set<string>(), [] as string[], [] as string[]];
  const visit = (file: string) => {
    if (under.includes(file)) {
      const [first, ...others] = [...under.slice(under.indexOf(file)), file];
      found.push(`${first}: imports itself by ${others.join(', ')}`);
    } else if (!ended.has(file)) {
      under.push(file);
      for (const target of imported.get(file) ?? []) visit(target);
      under.pop();
      ended.add(file);
    }
  };
  for (const file of imported.keys()) visit(file);
  return found;
}

/** The file that a specifier names, below the root; of a package outside of the workspace, none that exists. */
function targetOf(root: string, file: string, specifier: string): string {
  if (!specifier.startsWith(scope)) return path.relative(root, path.resolve(path.dirname(file), specifier));
  const [name = '', ...within] = specifier.slice(scope.length).split('/');
  return path.join('packages', name, 'src', `${within.join('/')}.ts`);
}

function violation(
  root: string,
  folder: string,
  file: string,
  specifier: string,
  allowed: readonly string[],
): string | undefined {
  if (specifier.startsWith('.')) {
    const target = path.relative(path.join(root, folder), path.resolve(path.dirname(file), specifier));
    // Apps export nothing; tests import from them what they start in their own process.
    if (target.startsWith('..'))
      return folder === 'tests' ? undefined : `a relative path must not leave ${folder}`;
    return roomViolation(folder, path.relative(path.join(root, folder), file), target);
  }
  if (specifier.startsWith(scope)) {
    const target = specifier.slice(scope.length).split('/')[0] ?? '';
    return allowed.includes(target)
      ? undefined
      : `${folder} may import only: ${allowed.join(', ') || 'no package'}`;
  }
  const name = path.relative(root, file);
  const inBrowser =
    browserFolders.some((browser) => name.startsWith(`${browser}/`)) && !/\.test\.tsx?$/.test(name);
  const isBuiltin = specifier.startsWith('node:') || builtins.has(specifier);
  return inBrowser && isBuiltin ? 'it runs in browsers too, which have no Node built-in' : undefined;
}

/** Tests may import any room; so may what only they use. */
const forTests = /\.test\.tsx?$|^src\/testing\//;

function roomViolation(folder: string, file: string, target: string): string | undefined {
  if (forTests.test(file)) return undefined;
  const [from, to] = [path.join(folder, file), path.join(folder, target)];
  for (const [base, order] of Object.entries(floors)) {
    if (base !== folder && !(from.startsWith(`${base}/`) && to.startsWith(`${base}/`))) continue;
    // An index names what is on any floor.
    if (base !== folder && from === `${base}/index.ts`) continue;
    const reason = floorViolation(base, order, roomOf(base, from), roomOf(base, to));
    if (reason) return reason;
  }
  return undefined;
}

function floorViolation(base: string, order: readonly Floor[], from: string, to: string): string | undefined {
  const [own, other] = [floorOf(order, from), floorOf(order, to)];
  const floor = order[own];
  if (!floor) return `the room ${from} of ${base} is on no floor of scripts/architecture.ts`;
  const isBeside = other === own && 'together' in floor;
  return from === to || other < own || isBeside ? undefined : `${from} is not above ${to} in ${base}`;
}

/** Whether a module of the web app reaches into a feature that is not its own. */
function featureViolation(name: string, target: string): string | undefined {
  if (!name.startsWith('apps/web/src/') || !target.startsWith(features) || forTests.test(name))
    return undefined;
  const [feature = '', ...within] = target.slice(features.length).split('/');
  if (name.startsWith(`${features}${feature}/`) || within.join('/') === 'index.ts') return undefined;
  return `others know ${feature} only through its index.ts`;
}

export const roomsOn = (floor: Floor): readonly string[] => ('together' in floor ? floor.together : floor);

const floorOf = (order: readonly Floor[], room: string) =>
  order.findIndex((floor) => roomsOn(floor).includes(room));

/** The room of a module: its folder below the src of a package, or below a feature. */
function roomOf(base: string, name: string): string {
  const [room = '', within] = name
    .slice(base.length + 1)
    .replace(/^src\//, '')
    .split('/');
  return within === undefined ? '.' : room;
}

function manifestViolations(root: string, folder: string, allowed: readonly string[]): string[] {
  const file = path.join(folder, 'package.json');
  let manifest: Record<string, Record<string, string> | undefined>;
  try {
    manifest = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  } catch {
    return [];
  }
  const found: string[] = [];
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      if (name.startsWith(scope) && !allowed.includes(name.slice(scope.length))) {
        found.push(`${file}: names ${name} in ${kind}, but ${folder} may not import it`);
      }
      const reason = reasonAgainst(folder, file, name);
      if (reason) found.push(`${file}: names ${name} in ${kind}, but ${reason}`);
      if (!/^(\d+\.\d+\.\d+[\w.-]*|workspace:\*)$/.test(version)) {
        found.push(
          `${file}: ${name} is ${version}, but versions are exact (an old Node would get an older package)`,
        );
      }
    }
  }
  return found;
}

/** The specifiers of all static and dynamic imports and re-exports. Biome puts each statement on its own line. */
function importsOf(source: string): string[] {
  const calls = source.matchAll(/\b(?:import|require|import\.meta\.resolve)\(\s*['"]([^'"]+)['"]/g);
  return [...statementsOf(source), ...[...calls].flatMap((match) => match[1] ?? [])];
}

/** The specifiers of static imports and re-exports. */
function statementsOf(source: string): string[] {
  const statements = source.matchAll(/^\s*(?:import|export)\b(?:[^;'"`]*?\bfrom)?\s*['"]([^'"]+)['"]/gm);
  return [...statements].flatMap((match) => match[1] ?? []);
}

function sourceFilesOf(directory: string): string[] {
  return entriesOf(directory).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return sourceFilesOf(file);
    return sourceFile.test(entry.name) ? [file] : [];
  });
}

/**
 * The folders of all workspaces: those in a folder from which the table names one. Of a package that is gone, what was
 * installed stays.
 */
function foldersOf(root: string): string[] {
  const nested = Object.keys(mayImport).filter((folder) => folder.includes('/'));
  const parents = new Set(nested.map((folder) => path.dirname(folder)));
  return [...parents]
    .flatMap((parent) =>
      entriesOf(path.join(root, parent))
        .filter((entry) => entry.isDirectory())
        .map((entry) => `${parent}/${entry.name}`),
    )
    .filter((folder) => !parents.has(folder))
    .filter((folder) => entriesOf(path.join(root, folder)).some(({ name }) => !skipped.has(name)));
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

if (import.meta.main) {
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
  const found = findViolations(root);
  const picture = drawPicture(mayImport);
  console.log(picture);
  if (pictureIn(readFileSync(path.join(root, 'docs/ARCHITECTURE.md'), 'utf8')) !== picture) {
    found.push(
      'docs/ARCHITECTURE.md holds another picture than the table: put the one above between its marks',
    );
  }
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exit(1);
  console.log('Every import is in the table.');
}
