export function findPostgres(): string | undefined;
export function postgresUser(): { uid?: number; gid?: number };
