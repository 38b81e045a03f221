export function resolveAdminToken(_: object) {
  return 'x';
}
