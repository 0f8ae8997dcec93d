CREATE INDEX "ledger_identity" ON "ledger" USING btree ("identity_id");--> statement-breakpoint
CREATE INDEX "ledger_forgettable" ON "ledger" USING btree ("settled_at") WHERE source <> 'credits';--> statement-breakpoint
CREATE INDEX "sessions_device" ON "sessions" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "sessions_guest" ON "sessions" USING btree ("guest_id") WHERE guest_id is not null;