// npm run bench:backup -- [--rows N]: seconds of a backup of an import, and of its restore into an empty database.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/backup-main.ts', ...process.argv.slice(2)], process.env);
