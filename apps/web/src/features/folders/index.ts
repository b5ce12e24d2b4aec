export { FolderBadge, FolderFiles, FolderStatus } from './folder-status.tsx';
export { isOpen, useFolders, useLatestSignIn, useSignIn } from './folders-api.ts';
export { SignInPanel } from './sign-in-panel.tsx';
