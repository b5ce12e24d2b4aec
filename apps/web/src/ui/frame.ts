import { createContext, use } from 'react';

/** The layout around the screens. */
export type Frame = {
  /** The place in the top bar for the screen's title and actions; null until the bar is drawn. */
  bar: HTMLElement | null;
  /** Whether the bar has room for more than a title and actions. */
  roomy: boolean;
  /** Called with a title that has just been drawn. */
  onTitle: (title: HTMLElement) => void;
};

export const FrameContext = createContext<Frame>({ bar: null, roomy: true, onTitle: () => {} });

/** Whether the server does not answer, as the top bar says. */
export const ServerLostContext = createContext(false);

/** Reason for a button that needs the server; null while the server answers. */
export function useLostReason(): string | null {
  return use(ServerLostContext) ? 'No connection to the server.' : null;
}
