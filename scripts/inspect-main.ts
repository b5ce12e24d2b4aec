import { inspectFile, writeRecords } from './inspect.ts';

const usage = 'npm run inspect -- [--json] FILE…   or   npm run inspect -- --records FILE';

const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const options = new Set(args.filter((arg) => arg.startsWith('--')));
const unknown = [...options].find((option) => option !== '--json' && option !== '--records');

if (unknown !== undefined || files.length === 0 || (options.has('--records') && files.length !== 1)) {
  console.error(unknown === undefined ? usage : `Unknown option ${unknown}. ${usage}`);
  process.exitCode = 2;
} else if (options.has('--records')) {
  try {
    writeRecords(files[0] as string, (text) => process.stdout.write(text));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} else {
  const results = files.map((file) => [file, inspectFile(file)] as const);
  if (results.some(([, result]) => 'error' in result)) process.exitCode = 1;
  if (options.has('--json')) console.log(JSON.stringify(Object.fromEntries(results), null, 1));
  else for (const [file, result] of results) console.log(`${file}\n  ${JSON.stringify(result)}`);
}
