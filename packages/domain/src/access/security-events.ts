/** Kinds of recorded events: access, changes of rights, and data that is sent, destroyed or changed in bulk. */
export const securityEventKinds = [
  'signed-in',
  'sign-in-failed',
  'locked-out',
  'sign-ins-slowed',
  'signed-out',
  'sessions-ended',
  'credentials-saved',
  'credentials-removed',
  'settings-changed',
  'push-begun',
  'undo-begun',
  'import-deleted',
  'product-deleted',
  'work-given-up',
  'work-retried',
  'rows-changed',
  'connection-begun',
  'requests-refused',
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

/** Newest events kept per kind. The limit per kind keeps guessed access keys from displacing other events. */
export const eventsPerKindMax = 200;

/** Maximum number of shown events, newest first. */
export const shownEventsMax = 200;
