// npm run restore -- DIR: docs/OPERATIONS.md, Restore
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['infra/backup-main.ts', 'restore', ...process.argv.slice(2)], process.env);
