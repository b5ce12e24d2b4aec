// Runs a foreign program where the system cannot end it together with its parent:
//   node die-with-parent-main.ts <signal> <command> [argument]…
// When the channel to the supervisor closes, the program gets the signal. When it ends, this process ends.
import { spawn } from 'node:child_process';

const [signal = 'SIGTERM', command = '', ...args] = process.argv.slice(2);
const kept = spawn(command, args, { stdio: 'inherit' });
kept.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
kept.on('exit', (code) => process.exit(code ?? 1));
process.on('disconnect', () => kept.kill(signal as NodeJS.Signals));
for (const passed of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(passed, () => kept.kill(passed));
