// npm run outdated: which pinned parts have a newer release, as far as the registry of npm knows, and what to look up
// elsewhere. docs/PINNED.md says what is pinned where.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrap, pnpmVersion, root } from './bootstrap.mjs';

bootstrap();
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const run = (command, args) => spawnSync(command, args, { cwd: root, encoding: 'utf8' });
const places = [
  'docker-compose.yml',
  'infra/compose.garage.yml',
  'infra/compose.proxy.yml',
  'infra/Dockerfile',
];
const images = places.flatMap((file) =>
  [...read(file).matchAll(/^(?: +image:|FROM) ([\w./-]+:[\w.-]*\d[\w.-]*)/gm)].map(([, image]) => [
    image,
    file,
  ]),
);
const [, imageNode] = /^FROM node:([\d.]+)/m.exec(read('infra/Dockerfile'));

const pinned = {
  pnpm: pnpmVersion,
  ...JSON.parse(read('infra/node/package.json')).optionalDependencies,
};
for (const [name, version] of Object.entries(pinned)) {
  const newest =
    run('npm', ['view', name, 'version']).stdout.trim() || 'unknown: the registry did not answer';
  const lag = name === 'pnpm' || version === imageNode ? '' : `, behind ${imageNode} of the image`;
  if (newest !== version || lag) console.log(`${name} ${version}${lag}; newest package: ${newest}`);
}

const outdated = run('npx', ['--prefer-offline', '-y', `pnpm@${pnpmVersion}`, 'outdated', '--recursive']);
console.log(outdated.stdout || outdated.stderr || 'All other packages are the newest.');

console.log('Not asked, because they are not in the registry of npm:');
for (const [image, file] of new Map(images)) console.log(`  ${image} (${file})`);
console.log(
  '  actions of .github/workflows/image.yml\nKnown vulnerabilities are not asked either: SECURITY.md',
);
