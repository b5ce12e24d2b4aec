import { type ProcessEntry, readProcess } from './process-table.ts';

const lookEveryMs = 500;

/**
 * Calls `onGone` once when an ancestor of this process has ended: the parent, or a shell or package manager of
 * `npm start` above it. A killed npm sends no signal and its shell lives on, so the ancestors are polled.
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

/** The parent and its ancestors up to the last package manager, without the shell of a terminal or script. */
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
