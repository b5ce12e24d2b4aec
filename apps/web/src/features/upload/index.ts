export { UploadProvider, useUploadRun } from './run/upload-run.tsx';
