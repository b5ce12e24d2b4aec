import { type ProcessEntry, readProcess } from './process-table.ts';

const lookEveryMs = 500;

/**
 * Calls `onGone` once when a process that this one was started through has ended: the parent, and above it the
 * shells and package managers of `npm start`. A killed npm tells nobody, and its shell lives on, so they are
 * looked at.
 */
export function watchAncestors(onGone: (command: string) => void): void {
  const ancestors = startedThrough();
  const timer = setInterval(() => {
    const gone = ancestors.find((ancestor) => readProcess(ancestor.pid)?.startedAt !== ancestor.startedAt);
    if (!gone) return;
    clearInterval(timer);
    onGone(gone.command);
  }, lookEveryMs);
  timer.unref();
}

/** The parent, and what is above it up to the last package manager. A terminal's or a script's shell is not meant. */
function startedThrough(): ProcessEntry[] {
  const parent = readProcess(process.ppid);
  if (!parent) return [];
  const above: ProcessEntry[] = [];
  for (
    let next = readProcess(parent.parentPid);
    next && isStarter(next);
    next = readProcess(next.parentPid)
  ) {
    above.push(next);
  }
  return [parent, ...above.slice(0, above.findLastIndex(isPackageManager) + 1)];
}

function isStarter(candidate: ProcessEntry): boolean {
  return isPackageManager(candidate) || /^(\S*\/)?(sh|dash|bash|zsh|ash) -c /.test(candidate.command);
}

function isPackageManager(candidate: ProcessEntry): boolean {
  return /^(\S*\/)?(node\s+)?(\S*\/)?(npm|npx|pnpm|yarn)(-cli)?(\.[cm]?js)?(\s|$)/.test(candidate.command);
}
