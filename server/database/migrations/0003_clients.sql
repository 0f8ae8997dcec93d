ALTER TABLE "ledger" ADD COLUMN "device_id" text;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "pass_serial" text;--> statement-breakpoint
CREATE INDEX "ledger_at_clients" ON "ledger" USING btree ("identity_id","reserved_at") WHERE state = 'reserved' and device_id is not null;