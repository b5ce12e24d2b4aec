import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

// A cell may have a megabyte. An expression that takes quadratic time would stop a worker for hours with it, so each
// that reads files takes linear time, or is asked of texts with a limit only.

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('packages/{csv,domain,reading,workbooks}/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/testing\//.test(file),
);

/** The texts of expressions that grow faster than these, by the file and the limit that it has for them. */
const bounded: Record<string, string> = {
  'packages/csv/src/read-table.ts': '24 characters',
  'packages/domain/src/base/metafield-values.ts': '64 characters',
  'packages/domain/src/base/money.ts': '64 characters',
  'packages/domain/src/base/no-code.ts': '24 characters',
  'packages/domain/src/base/product-words.ts': 'words of 40 characters',
  'packages/domain/src/base/quantity.ts': '40 characters',
  'packages/domain/src/enrich/ai/quantities.ts': 'numbers of a text of AI',
  'packages/domain/src/reading/decimal-marks.ts': '64 characters',
  'packages/domain/src/reading/mapping/column-evidence.ts': 'amounts of 64 characters',
  'packages/domain/src/reading/mapping/header-candidates.ts': 'headers of 200 characters',
  'packages/domain/src/reading/mapping/rival-columns.ts': 'headers of 40 characters',
  'packages/domain/src/reading/price-headers.ts': 'headers of 200 characters',
  'packages/domain/src/reading/mapping/suggested-metafields.ts': 'headers of 200 characters',
  'packages/domain/src/review/corrections/compare-cell.ts': 'numbers of 64 characters',
  'packages/domain/src/review/operations/amount.ts': 'amounts of 64 characters, or it cannot fail',
  'packages/domain/src/suppliers/list-signs.ts': 'paths of a file system',
  'packages/workbooks/src/sheet/number-text.ts': 'the text of a number',
};

type Expression = { file: string; source: string; flags: string };

function literalsIn(file: string): Expression[] {
  const found: Expression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) found.push({ file, source: regex.pattern, flags: regex.flags });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(readFileSync(path.join(root, file), 'utf8'), { lang: 'ts' }));
  return found;
}

/** The expressions that a module makes of texts while it is loaded. */
async function madeBy(file: string): Promise<Expression[]> {
  const found: Expression[] = [];
  const { RegExp: own } = globalThis;
  globalThis.RegExp = new Proxy(own, {
    construct(target, [source, flags]: [string | RegExp, string | undefined], as) {
      const made = Reflect.construct(target, [source, flags], as) as RegExp;
      found.push({ file, source: made.source, flags: made.flags });
      return made;
    },
  });
  try {
    await import(`${pathToFileURL(path.join(root, file)).href}?loaded=again`);
  } finally {
    globalThis.RegExp = own;
  }
  return found;
}

const isSlow = ({ source, flags }: Expression): boolean =>
  analyse({ source, flags }, { maxReports: 1 }).reports.length > 0;

test('expressions that read files take linear time, or read texts with a limit', async () => {
  const literals = files.flatMap(literalsIn);
  expect(literals.length).toBeGreaterThan(500);
  const made: Expression[] = [];
  for (const file of files.filter((name) =>
    readFileSync(path.join(root, name), 'utf8').includes('new RegExp('),
  )) {
    made.push(...(await madeBy(file)));
  }
  expect(made.length).toBeGreaterThan(20);
  const slow = [...literals, ...made].filter(isSlow);
  const unbounded = slow.filter(({ file }) => bounded[file] === undefined);
  expect(unbounded).toEqual([]);
  expect(Object.keys(bounded).filter((file) => slow.every((one) => one.file !== file))).toEqual([]);
});
