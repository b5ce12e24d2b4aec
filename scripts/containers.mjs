// npm run test:containers: runs the compose file with containers that crash (tests/containers).
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/containers/containers-main.ts', ...process.argv.slice(2)], process.env);
