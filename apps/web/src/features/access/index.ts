export { useAuthStatus, useLogout } from './auth-api.ts';
export { SecuritySection } from './security-section.tsx';
