import { DOCUMENT_FILE, PREFIX } from '../../../src/control-plane/admin/resources/admin-document.ts';
import { createResponseChecker } from '../document-responses.ts';

export const { document, seen, check: checkAdminResponse } = createResponseChecker(DOCUMENT_FILE, PREFIX);
