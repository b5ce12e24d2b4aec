// npm run backup -- DIR: docs/OPERATIONS.md, Backup
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['infra/backup-main.ts', 'backup', ...process.argv.slice(2)], process.env);
