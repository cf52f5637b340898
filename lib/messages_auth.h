/*
 * messages_auth: the parts of a conversation that show authorizations.
 *
 * Used by the files of messages alone.
 */
#ifndef EVE_MESSAGES_AUTH_H
#define EVE_MESSAGES_AUTH_H

#include "messages_doc.h"

/* Refuse what cannot be projected: authorization.required and authorization.completed. */
void eve_messages_check_authorization(struct eve_messages_at *at);

void eve_messages_take_required(struct eve_messages_at *at);
void eve_messages_take_completed(struct eve_messages_at *at);

#endif
