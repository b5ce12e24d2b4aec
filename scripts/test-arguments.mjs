// The arguments of npm test: names of steps, paths of test files or folders, and -t NAME.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

const testFile = /\.test\.tsx?$/;

/**
 * Sorts the arguments into steps, absolute paths and the pattern of test names after -t. `problem` is a sentence if one
 * of them is unknown.
 *
 * @param {readonly string[]} args
 * @param {(name: string) => boolean} isStep
 */
export function readArguments(args, isStep) {
  const read = { steps: [], paths: [], pattern: undefined, problem: undefined };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === '-t') {
      at += 1;
      read.pattern = args[at];
      if (!read.pattern) read.problem = '-t needs the name of a test, or a part of it.';
    } else if (isStep(arg)) {
      read.steps.push(arg);
    } else {
      const found = path.resolve(root, arg);
      read.problem ??= problemOf(arg, found);
      // Vitest compares the beginnings of paths: a folder must not match a longer name.
      read.paths.push(existsSync(found) && statSync(found).isDirectory() ? `${found}${path.sep}` : found);
    }
  }
  if (read.pattern && read.steps.length + read.paths.length === 0) {
    read.problem ??= '-t also needs a test file, a folder or a project to look in.';
  }
  return read;
}

function problemOf(arg, found) {
  if (!existsSync(found)) return `There is no test file, folder or step ${arg}.`;
  if (statSync(found).isDirectory() || testFile.test(found)) return undefined;
  const beside = arg.replace(/\.tsx?$/, '.test.ts');
  const hint = existsSync(path.resolve(root, beside)) ? ` Its tests are in ${beside}.` : '';
  return `${arg} is not a test file.${hint}`;
}
