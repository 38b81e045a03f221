/** The methods that an operation may have, in the order in which `Allow` names them. */
export const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH'] as const;
