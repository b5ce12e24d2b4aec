import pLimit from 'p-limit';

export type LoginResult = 'in' | 'wrong key' | 'too many failures' | 'too many at once';

/**
 * Logins that use a database connection at a time, and logins that wait without one. Attempts of one client wait for
 * each other's lock in Postgres, so thousands of guesses could otherwise take all connections.
 */
const attemptsMax = 2;
const waitingMax = 1_000;
/** After too many failures over all addresses. A correct key then waits for at most this many wrong ones. */
const waitingMaxSlow = 30;

type Deps = {
  /** Whether all addresses together have failed too often. Asked after each wrong key. */
  hasManyFailures: () => Promise<boolean>;
  /** Waits after a wrong key while there are many failures. */
  pause: () => Promise<void>;
};

type Login = {
  attempt: () => Promise<LoginResult>;
  /** Called if sign-ins begin to be slow with this one. */
  onSlow: () => void;
};

export type LoginLine = {
  /** Tests a key when it is its turn. */
  run(login: Login): Promise<LoginResult>;
};

/**
 * Limits the sign-ins of one process. Guesses from many addresses only slow it down: each wrong key then keeps its
 * place for a while, and a correct key gets in as soon as it is tested.
 */
export function openLoginLine({ hasManyFailures, pause }: Deps): LoginLine {
  const attempts = pLimit(attemptsMax);
  let isSlow = false;
  return {
    async run({ attempt, onSlow }) {
      if (attempts.pendingCount >= (isSlow ? waitingMaxSlow : waitingMax)) return 'too many at once';
      return attempts(async () => {
        const result = await attempt();
        if (result !== 'wrong key') return result;
        const areMany = await hasManyFailures();
        if (areMany && !isSlow) onSlow();
        isSlow = areMany;
        if (areMany) await pause();
        return result;
      });
    },
  };
}
