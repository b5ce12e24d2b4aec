// npm run sbom [-- FILE]: the software bill of materials of what runs in production, as CycloneDX JSON from the
// lockfile; sbom.cdx.json without FILE. Node itself is not in it: infra/node/package-lock.json has its version.
import { spawnSync } from 'node:child_process';
import { bootstrap, pnpmVersion, root } from './bootstrap.mjs';

bootstrap();
const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const options = ['--prod', '--sbom-type', 'application', '--sbom-format', 'cyclonedx', '--out', file];
const { status } = spawnSync('npx', ['--prefer-offline', '-y', `pnpm@${pnpmVersion}`, 'sbom', ...options], {
  cwd: root,
  stdio: 'inherit',
});
if (status === 0) console.log(`Written: ${file}`);
process.exit(status ?? 1);
