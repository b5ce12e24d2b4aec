export { AddPhotos } from './photos/add-photos.tsx';
