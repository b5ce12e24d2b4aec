// AI_BASE_URL=… AI_MODEL=… [AI_API_KEY=…] npm run bench:ai -- [--products N] [--batch N] [--sheet FILE]: how much of a
// real service's answers passes the checks, with what tokens and in what time. It costs money, so only by hand.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/ai-main.ts', ...process.argv.slice(2)], process.env);
